terraform {
  provider_meta "terraform" {
    block {
    }
  }
}

resource "terraform_data" "r" {
}
