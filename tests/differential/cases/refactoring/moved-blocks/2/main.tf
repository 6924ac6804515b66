resource "terraform_data" "new" {
  input = "renamed"
}

resource "terraform_data" "counted" {
  for_each = toset(["0", "1"])
  input    = tonumber(each.key)
}

module "after" {
  source = "./m"
}

moved {
  from = terraform_data.old
  to   = terraform_data.between
}

moved {
  from = terraform_data.between
  to   = terraform_data.new
}

moved {
  from = terraform_data.outside
  to   = module.after.terraform_data.inside
}

moved {
  from = terraform_data.counted[0]
  to   = terraform_data.counted["0"]
}

moved {
  from = terraform_data.counted[1]
  to   = terraform_data.counted["1"]
}

moved {
  from = module.before
  to   = module.after
}
