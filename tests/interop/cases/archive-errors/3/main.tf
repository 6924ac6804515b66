terraform {
  required_providers {
    archive = {
      source  = "hashicorp/archive"
      version = "2.8.0"
    }
  }
}

resource "archive_file" "wrong" {
  type        = "rar"
  source_file = "main.tf"
  source_dir  = "."
  output_path = "x.zip"
}
