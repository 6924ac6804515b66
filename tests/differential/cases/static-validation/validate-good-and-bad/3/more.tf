output "o" {
  value = local.nothing + terraform_data.absent.id
}

resource "terraform_data" "s" {
  count = "x"
}
