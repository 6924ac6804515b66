resource "terraform_data" "plain" {
  input = "p"
}

resource "terraform_data" "cbd" {
  for_each = { k = 1, l = 2 }
  input    = each.value
  lifecycle {
    create_before_destroy = true
  }
}

module "m" {
  source = "./m"
}
