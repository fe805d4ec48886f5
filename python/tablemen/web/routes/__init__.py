"""What can be asked for, a module a subject."""
