"""One worker per library, run by the library's interpreter: a JSON request on stdin, a JSON result on stdout."""
