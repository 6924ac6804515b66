resource "terraform_data" "r" {
  input = "r"
}

output "after" {
  value      = "constant"
  depends_on = [terraform_data.r]
}

module "m" {
  source = "./m"
}

resource "terraform_data" "uses" {
  input = module.m.after
}
