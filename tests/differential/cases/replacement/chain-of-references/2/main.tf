resource "terraform_data" "a" {
  input = "A"
}

resource "terraform_data" "b" {
  input = "${terraform_data.a.output}b"
}

resource "terraform_data" "c" {
  input = "${terraform_data.b.output}c"
}

output "last" {
  value = terraform_data.c.output
}
