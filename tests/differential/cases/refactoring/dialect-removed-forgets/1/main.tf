resource "terraform_data" "kept" {
  input = 1
}

resource "terraform_data" "lost" {
  input = 2
}

resource "terraform_data" "said" {
  input = 3
}

module "m" {
  source = "./m"
}
