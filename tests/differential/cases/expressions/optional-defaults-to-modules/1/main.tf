resource "terraform_data" "id" { input = "x" }
module "a" {
  source = "./m"
  for_each = {
    absent    = {}
    nulls     = { a = null, b = null }
    unknown   = { a = terraform_data.id.output }
    sensitive = { b = { c = sensitive("s") } }
    inner     = { b = {} }
  }
  in = each.value
}
module "unknown" {
  source = "./m"
  in     = terraform_data.id.output == "x" ? { a = "y" } : null
}
output "out" {
  value = { for k, v in module.a : k => nonsensitive(v.out) }
}
output "unknown" { value = module.unknown.out }
