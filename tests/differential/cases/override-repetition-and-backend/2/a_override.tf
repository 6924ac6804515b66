terraform {
  backend "local" { }
  cloud {}
}
