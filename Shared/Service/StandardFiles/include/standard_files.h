/* Standard input, output and error of every program, before anything else of it runs. Declares nothing. */
