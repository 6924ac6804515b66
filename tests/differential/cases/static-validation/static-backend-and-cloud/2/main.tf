terraform {
  backend "local" {}
  cloud {
    workspaces { name = "x" }
  }
}
