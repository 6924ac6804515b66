terraform {
  backend "hcp" {
  }
}
