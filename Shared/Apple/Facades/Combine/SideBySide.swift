// Combines the values of several publishers: the newest of each (CombineLatest), or each value once (Zip).

extension Publishers {
    /// Publishes the newest values of two publishers whenever either sends.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
    where B.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        /// The combined publishers.
        public let a: A, b: B

        /// Sends nothing until both have sent a value.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            Rows<Output, Failure>(keepsNewest: true) {
                ($0[0, A.Output.self], $0[1, B.Output.self])
            }
            .adding(a).adding(b).subscribe(subscriber)
        }
    }

    /// Publishes the newest values of three publishers whenever one sends.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        /// The combined publishers.
        public let a: A, b: B, c: C

        /// Sends nothing until all have sent a value.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            Rows<Output, Failure>(keepsNewest: true) {
                ($0[0, A.Output.self], $0[1, B.Output.self], $0[2, C.Output.self])
            }
            .adding(a).adding(b).adding(c).subscribe(subscriber)
        }
    }

    /// Publishes the newest values of four publishers whenever one sends.
    public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure, D.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure
        /// The combined publishers.
        public let a: A, b: B, c: C, d: D

        /// Sends nothing until all have sent a value.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            Rows<Output, Failure>(keepsNewest: true) {
                ($0[0, A.Output.self], $0[1, B.Output.self], $0[2, C.Output.self], $0[3, D.Output.self])
            }
            .adding(a).adding(b).adding(c).adding(d).subscribe(subscriber)
        }
    }

    /// Pairs the values of two publishers by position.
    public struct Zip<A: Publisher, B: Publisher>: Publisher
    where B.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure
        /// The combined publishers.
        public let a: A, b: B

        /// Buffers unpaired values without limit.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            Rows<Output, Failure>(keepsNewest: false) {
                ($0[0, A.Output.self], $0[1, B.Output.self])
            }
            .adding(a).adding(b).subscribe(subscriber)
        }
    }

    /// Groups the values of three publishers by position.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure
        /// The combined publishers.
        public let a: A, b: B, c: C

        /// Buffers ungrouped values without limit.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            Rows<Output, Failure>(keepsNewest: false) {
                ($0[0, A.Output.self], $0[1, B.Output.self], $0[2, C.Output.self])
            }
            .adding(a).adding(b).adding(c).subscribe(subscriber)
        }
    }

    /// Groups the values of four publishers by position.
    public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where B.Failure == A.Failure, C.Failure == A.Failure, D.Failure == A.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure
        /// The combined publishers.
        public let a: A, b: B, c: C, d: D

        /// Buffers ungrouped values without limit.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            Rows<Output, Failure>(keepsNewest: false) {
                ($0[0, A.Output.self], $0[1, B.Output.self], $0[2, C.Output.self], $0[3, D.Output.self])
            }
            .adding(a).adding(b).adding(c).adding(d).subscribe(subscriber)
        }
    }
}

extension Publisher {
    /// Publishes the newest values of both as a tuple whenever either sends.
    public func combineLatest<P: Publisher>(
        _ p: P
    ) -> Publishers.CombineLatest<Self, P>
    where P.Failure == Failure {
        Publishers.CombineLatest(self, p)
    }

    /// Publishes `transform` of the newest values whenever either sends.
    public func combineLatest<P: Publisher, T>(
        _ p: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Operator<Publishers.CombineLatest<Self, P>, T, Failure>
    where P.Failure == Failure {
        Publishers.CombineLatest(self, p).map { transform($0.0, $0.1) }
    }

    /// Publishes the newest values of three as a tuple whenever one sends.
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ p: P, _ q: Q
    ) -> Publishers.CombineLatest3<Self, P, Q>
    where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, p, q)
    }

    /// Publishes `transform` of the newest values of three whenever one sends.
    public func combineLatest<P: Publisher, Q: Publisher, T>(
        _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Operator<Publishers.CombineLatest3<Self, P, Q>, T, Failure>
    where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, p, q).map { transform($0.0, $0.1, $0.2) }
    }

    /// Publishes the newest values of four as a tuple whenever one sends.
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
        _ p: P, _ q: Q, _ r: R
    ) -> Publishers.CombineLatest4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.CombineLatest4(self, p, q, r)
    }

    /// Publishes `transform` of the newest values of four whenever one sends.
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
        _ p: P, _ q: Q, _ r: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Operator<Publishers.CombineLatest4<Self, P, Q, R>, T, Failure>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.CombineLatest4(self, p, q, r).map { transform($0.0, $0.1, $0.2, $0.3) }
    }

    /// Publishes pairs of values by position.
    public func zip<P: Publisher>(
        _ p: P
    ) -> Publishers.Zip<Self, P>
    where P.Failure == Failure {
        Publishers.Zip(self, p)
    }

    /// Publishes `transform` of each pair of values.
    public func zip<P: Publisher, T>(
        _ p: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Operator<Publishers.Zip<Self, P>, T, Failure>
    where P.Failure == Failure {
        Publishers.Zip(self, p).map { transform($0.0, $0.1) }
    }

    /// Publishes triples of values by position.
    public func zip<P: Publisher, Q: Publisher>(
        _ p: P, _ q: Q
    ) -> Publishers.Zip3<Self, P, Q>
    where P.Failure == Failure, Q.Failure == Failure {
        Publishers.Zip3(self, p, q)
    }

    /// Publishes `transform` of each triple of values.
    public func zip<P: Publisher, Q: Publisher, T>(
        _ p: P, _ q: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Operator<Publishers.Zip3<Self, P, Q>, T, Failure>
    where P.Failure == Failure, Q.Failure == Failure {
        Publishers.Zip3(self, p, q).map { transform($0.0, $0.1, $0.2) }
    }

    /// Publishes quadruples of values by position.
    public func zip<P: Publisher, Q: Publisher, R: Publisher>(
        _ p: P, _ q: Q, _ r: R
    ) -> Publishers.Zip4<Self, P, Q, R>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.Zip4(self, p, q, r)
    }

    /// Publishes `transform` of each quadruple of values.
    public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
        _ p: P, _ q: Q, _ r: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Operator<Publishers.Zip4<Self, P, Q, R>, T, Failure>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.Zip4(self, p, q, r).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}
