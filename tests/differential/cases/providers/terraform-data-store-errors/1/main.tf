resource "terraform_data" "a" {
  input = false
}

resource "terraform_data" "unknown_sensitive" {
  store {
    input     = 1
    sensitive = terraform_data.a.output
  }
}

resource "terraform_data" "unknown_replace" {
  store {
    replace = terraform_data.a.output
  }
}
