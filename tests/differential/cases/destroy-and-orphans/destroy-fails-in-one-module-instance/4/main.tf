resource "terraform_data" "base" {
  input = "base"
}

module "m" {
  source   = "./m"
  for_each = { bad = "true", ok = "true", other = "true" }
  command  = each.value
  base     = terraform_data.base.id
}
