output "bad" {
  type  = number
  value = ["x"]
}
output "bad_element" {
  type  = map(bool)
  value = { a = "x" }
}
