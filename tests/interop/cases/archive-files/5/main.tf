terraform {
  required_providers {
    archive = {
      source  = "hashicorp/archive"
      version = "2.8.0"
    }
  }
}

resource "archive_file" "text" {
  type                    = "zip"
  source_content          = "hello again"
  source_content_filename = "hello.txt"
  output_path             = "text.zip"
}
