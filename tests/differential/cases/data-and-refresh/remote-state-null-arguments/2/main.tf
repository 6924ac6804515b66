data "terraform_remote_state" "db" {
  backend = "s3"

  config = {
    bucket = null
    region = "us-east-2"
  }
}
