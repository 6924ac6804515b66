module "still" {
  source = "./child"
}

module "counted" {
  source = "./child"
  count  = 2
}

module "each" {
  source   = "./child"
  for_each = { a = 1 }
}

moved {
  from = module.still
  to   = module.other
}

moved {
  from = module.counted[0]
  to   = module.other_counted
}

moved {
  from = module.counted[5]
  to   = module.other_counted[5]
}

moved {
  from = module.each["a"]
  to   = module.other_each["a"]
}

moved {
  from = module.gone.terraform_data.a
  to   = terraform_data.a
}

moved {
  from = module.gone.terraform_data.b
  to   = terraform_data.a
}

moved {
  from = module.still.terraform_data.inside
  to   = terraform_data.outside
}

output "hidden_by_the_moves" {
  value = 1

  precondition {
    condition     = terraform_data.a.input != null
    error_message = "Not told where moves are wrong."
  }
}

resource "terraform_data" "a" {}
