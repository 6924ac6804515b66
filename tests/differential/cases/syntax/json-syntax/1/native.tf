locals {
  native = "${local.sum} from JSON"
}
