"""One program a library, run by its own interpreter: a request in JSON comes in, a result in JSON goes out."""
