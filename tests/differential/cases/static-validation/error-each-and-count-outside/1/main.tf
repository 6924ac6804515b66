resource "terraform_data" "a" {
  input = each.value
}
resource "terraform_data" "b" {
  input = count.index
}
resource "terraform_data" "c" {
  count = 1
  input = each.key
}
resource "terraform_data" "d" {
  for_each = { a = 1 }
  input    = [each.index, count.index]
}
module "m" {
  source = "./m"
  in     = each.key
}
