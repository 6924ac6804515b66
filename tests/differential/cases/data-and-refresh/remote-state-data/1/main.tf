data "terraform_remote_state" "other" {
  backend = "local"
  config = {
    path = "${path.module}/other.tfstate"
  }
  defaults = {
    answer  = 0
    missing = "from defaults"
  }
}

resource "terraform_data" "use" {
  input = data.terraform_remote_state.other.outputs.answer + 1
}

data "terraform_remote_state" "late" {
  backend = "local"
  config = {
    path = "other.tfstate"
  }
  depends_on = [terraform_data.use]
}

data "terraform_remote_state" "unknown_config" {
  backend   = "local"
  workspace = "default"
  config = {
    path = terraform_data.use.id == "x" ? "x" : "./other.tfstate"
  }
}

output "outputs" {
  value = data.terraform_remote_state.other.outputs
}

output "late" {
  value = data.terraform_remote_state.late.outputs.object.list[1]
}

output "unknown_config" {
  value = data.terraform_remote_state.unknown_config.outputs.answer
}
