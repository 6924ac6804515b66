resource "terraform_data" "r" {
  input = { a = 2, b = "x", s = sensitive("t"), l = [1, 3], m = "one\ntwo" }
}
output "p" {
  value = "new"
}
check "c" {
  assert {
    condition     = terraform_data.r.input.a == 3
    error_message = "Check failed."
  }
}
