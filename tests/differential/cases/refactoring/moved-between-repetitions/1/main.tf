resource "terraform_data" "counted" {
  count = 3
  input = count.index
}
resource "terraform_data" "single" {
  input = 1
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = each.key
}
module "m" {
  source = "./m"
  count  = 2
}
module "one" {
  source = "./m"
}
