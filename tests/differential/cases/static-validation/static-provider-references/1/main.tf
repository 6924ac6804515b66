resource "null_resource" "a" {
  provider = null.foo.bar
}
resource "null_resource" "b" {
  provider = "null.foo"
}
resource "null_resource" "c" {
  provider = null[0]
}
resource "null_resource" "d" {
  provider = 1
}
resource "null_resource" "e" {
  provider = "${null}"
}
resource "null_resource" "f" {
  provider = "x y"
}
resource "null_resource" "g" {
  provider = foo("x")
}
