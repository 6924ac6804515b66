resource "a" "b"
