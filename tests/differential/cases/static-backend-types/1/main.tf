terraform {
  backend "lcal" {
  }
}
