terraform {
  backend "local" {
    pth = "x"
    path = 1
  }
}
