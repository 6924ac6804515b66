provider "null" {}
resource "null_resource" "x" {}
