package launch

import (
	"coppice/backend/config"
	"coppice/backend/provider"
	"coppice/backend/provider/price"
)

// Prices returns what the costs of imported calls are estimated with: the embedded table and the user's own prices. If those
// cannot be read, it returns the error and estimates with the table alone.
func Prices() (*price.Estimator, error) {
	own, err := price.ReadFile(config.UserPricingPath())
	if err != nil {
		own = price.File{}
	}
	return price.NewEstimator(own, provider.IsFree), err
}
