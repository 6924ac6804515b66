terraform {
  required_providers {
    archive = {
      source  = "hashicorp/archive"
      version = "2.8.0"
    }
  }
}

data "archive_file" "none" {
  type        = "zip"
  output_path = "x.zip"
}
