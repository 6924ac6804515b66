resource "terraform_data" "twice" {
  store {}
  store {}
}

resource "terraform_data" "computed" {
  store {
    output           = 1
    sensitive_output = 2
    bogus            = 3
  }
}

resource "terraform_data" "not_bool" {
  store {
    replace = "maybe"
  }
}
