terraform {
  backend "local" { pth = 1 }
}
