resource "terraform_data" "counted" {
  for_each = { x = 0, y = 1 }
  input    = each.value
}
moved {
  from = terraform_data.counted[0]
  to   = terraform_data.counted["x"]
}
moved {
  from = terraform_data.counted[1]
  to   = terraform_data.counted["y"]
}
moved {
  from = terraform_data.counted[2]
  to   = terraform_data.counted["z"]
}
resource "terraform_data" "single" {
  count = 2
  input = 1
}
moved {
  from = terraform_data.single
  to   = terraform_data.single[1]
}
resource "terraform_data" "each" {
  count = 1
  input = "b"
}
moved {
  from = terraform_data.each["b"]
  to   = terraform_data.each[0]
}
module "m" {
  source   = "./m"
  for_each = toset(["k"])
}
moved {
  from = module.m[1]
  to   = module.m["k"]
}
module "one" {
  source = "./m"
  count  = 1
}
moved {
  from = module.one
  to   = module.one[0]
}
