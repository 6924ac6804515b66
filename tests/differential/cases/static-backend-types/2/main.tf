terraform {
  backend "artifactory" {
  }
}
