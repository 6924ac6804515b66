variable "id" {
  default = "x"
}

resource "terraform_data" "a" {
  id = "literal"
}

resource "terraform_data" "b" {
  count  = 2
  id     = var.id
  output = "out"
}
