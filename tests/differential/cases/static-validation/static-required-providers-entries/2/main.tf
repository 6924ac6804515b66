terraform {
  required_providers {
    a = { source = "-/null" }
    b = { source = "example.com/-/null" }
    c = { source = "terraform.io/builtin/terraform" }
    d = { source = "terraform.io/builtin/nope" }
    terraform = { source = "hashicorp/terraform" }
    e = { source = "builtin/terraform" }
    f = { source = "terraform.io/builtin/terraform", version = "1.0" }
  }
}
