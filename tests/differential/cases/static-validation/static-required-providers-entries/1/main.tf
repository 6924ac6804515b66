terraform {
  required_providers {
    a = "1.0"
    b = "nope"
    c = 1
    d = { source = 1 }
    e = { version = 1 }
    f = { source = "a/b/c/d" }
    g = { source = "hashicorp/terraform-provider-g" }
    h = { sorce = "x" }
    i = { source = "bad!/x" }
    j = []
    k = { source = "terraform-provider-k" }
    l = { version = "nope" }
  }
}
