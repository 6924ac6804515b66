variable "size" {
  type    = number
  default = "3"
}
variable "sizes" {
  type    = list(number)
  default = []
}
variable "n" {
  type    = string
  default = "from the test"
}
run "default" {
  assert {
    condition     = output.n == "from the test"
    error_message = "${output.n}"
  }
}
run "given" {
  variables { n = "${var.size + 1} ${length(var.sizes)} ${sum(var.sizes)}" }
  assert {
    condition     = output.n == "4 2 3" && var.size == 3
    error_message = "${output.n}"
  }
}
