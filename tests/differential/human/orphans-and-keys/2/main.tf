resource "terraform_data" "counted" {
  count = 1
  input = count.index
}
resource "terraform_data" "keyed" {
  for_each = toset(["b"])
}
resource "terraform_data" "single" {
  count = 1
  input = "moves"
}
resource "terraform_data" "becomes_keyed" {
  for_each = { x = 1 }
}
module "counted" {
  source = "./m"
  count  = 1
}
