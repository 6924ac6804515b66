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
  source_content          = "hello"
  source_content_filename = "hello.txt"
  output_path             = "text.zip"
}

resource "archive_file" "folder" {
  type             = "zip"
  source_dir       = "src"
  excludes         = ["secret.txt", "**/*.log"]
  output_path      = "folder.zip"
  output_file_mode = "0644"
}

data "archive_file" "blocks" {
  type        = "tar.gz"
  output_path = "blocks.tar.gz"

  source {
    content  = "one"
    filename = "1.txt"
  }

  dynamic "source" {
    for_each = { "2.txt" = "two", "3.txt" = "three" }

    content {
      content  = source.value
      filename = source.key
    }
  }
}

output "hashes" {
  value = {
    text   = archive_file.text.output_sha256
    folder = archive_file.folder.output_md5
    blocks = data.archive_file.blocks.output_size
  }
}
