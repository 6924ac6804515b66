terraform {
  required_providers {
    notes = { source = "example/notes" }
  }
}

provider "notes" {
  endpoint = "http://127.0.0.1:8123"
}

resource "notes_note" "shopping" {
  notebook = "home"
  text     = "Milk\nBread"
  tags     = { urgent = "yes" }
}

data "notes_notebook" "home" {
  name       = "home"
  depends_on = [notes_note.shopping]
}

output "titles" {
  value = [for text in data.notes_notebook.home.texts : provider::notes::title(text)]
}
