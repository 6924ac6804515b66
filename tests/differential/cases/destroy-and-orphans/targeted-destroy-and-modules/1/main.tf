module "a" {
  source = "./m"
  count  = 2
  in     = "a${count.index}"
}

module "b" {
  source = "./m"
  in     = module.a[0].out
}

resource "terraform_data" "last" {
  for_each = { x = module.a[1].out, y = "free" }
  input    = each.value
}

output "b" {
  value = module.b.out
}
