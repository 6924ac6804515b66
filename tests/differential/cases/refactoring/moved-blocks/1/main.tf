resource "terraform_data" "old" {
  input = "renamed"
}

resource "terraform_data" "outside" {
  input = "into module"
}

resource "terraform_data" "counted" {
  count = 2
  input = count.index
}

module "before" {
  source = "./m"
}
