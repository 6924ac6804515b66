variable "s" {
  type = set(object({ a = optional(string, "x") })) 
  default = [{}]
}
variable "any" { default = { a = [1, null] } }
locals { secret = sensitive({ a = 1 }) }
resource "terraform_data" "r" { input = { a = tolist(["x"]) } }
resource "terraform_data" "c" {
  count = 2
  input = count.index
}
resource "terraform_data" "e" {
  for_each = { a = 1 }
  input    = each.value
}
module "m" { source = "./m" }
