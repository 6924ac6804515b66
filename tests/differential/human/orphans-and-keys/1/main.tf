resource "terraform_data" "gone" {
  input = "g"
}
resource "terraform_data" "counted" {
  count = 3
  input = count.index
}
resource "terraform_data" "keyed" {
  for_each = toset(["a", "b"])
}
resource "terraform_data" "single" {
  input = "moves"
}
resource "terraform_data" "becomes_keyed" {
  count = 1
}
module "gone" {
  source = "./m"
}
module "counted" {
  source = "./m"
  count  = 2
}
