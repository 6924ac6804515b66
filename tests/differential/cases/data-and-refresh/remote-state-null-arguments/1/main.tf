variable "bucket" {
  default = null
}

data "terraform_remote_state" "db" {
  backend = "s3"

  config = {
    bucket = var.bucket
    key    = var.bucket
    region = "us-east-2"
  }
}
