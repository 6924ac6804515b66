terraform {
  required_version = "about 1"
}
