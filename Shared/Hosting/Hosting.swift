internal import Contract
