"""The names that users of other libraries know."""
