terraform {
  required_providers {
    archive = {
      source  = "hashicorp/archive"
      version = "2.8.0"
    }
  }
}

data "archive_file" "missing" {
  type        = "zip"
  source_file = "nowhere.txt"
  output_path = "x.zip"
}
