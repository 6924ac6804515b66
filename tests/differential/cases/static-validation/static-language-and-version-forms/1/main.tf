terraform {
  required_version = 1
}
terraform {
  required_version = null
}
terraform {
  required_version = var.x
}
terraform {
  required_version = ">= 1.0, nope"
}
