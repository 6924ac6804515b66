resource "terraform_data" "a" {
  input = ["x", "y"]
}

resource "terraform_data" "counted" {
  count = length(terraform_data.a.output)
}

resource "terraform_data" "keyed" {
  for_each = toset(terraform_data.a.output)
}
